#!/bin/sh
exec "{app}" "{command}" "--op-build={op_build}" "--lib64={lib64}" "--socs={socs}" "$@"
