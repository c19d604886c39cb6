// Stand-in header of the CANN toolkit: it marks a directory that the real one has.
#pragma once
