"""Every error code of the twin's code generator, with the rule it stands for.

A code never changes its meaning. Tens: 0 the files, 1 what a kernel may be written with, 2 tiles and tensors,
3 values, 4 control flow and sections, 5 loops.
"""

from __future__ import annotations

RULES: dict[str, str] = {
    "PYPTO-G001": "the kernel file and its helper modules are valid Python",
    "PYPTO-G002": "the kernel file defines the kernel of the manifest, at its top level",
    "PYPTO-G003": "expressions and blocks are not nested too deeply",
    "PYPTO-G004": "the architecture that a file pins is that of the SoC",
    "PYPTO-G005": "the kernel file and its helper modules can be read",
    "PYPTO-G010": "statements are of the kinds that kernels may use",
    "PYPTO-G011": "expressions are of the kinds that kernels may use",
    "PYPTO-G012": "operations and functions that are called are supported by the twin",
    "PYPTO-G013": "names and attributes are defined and known at code generation",
    "PYPTO-G014": "calls pass the arguments that the operation or function takes",
    "PYPTO-G015": "arguments are of the right kind",
    "PYPTO-G016": "operands are of the right kind",
    "PYPTO-G017": "assertions on constants hold",
    "PYPTO-G020": "tiles of one operation have one shape",
    "PYPTO-G021": "data types are supported by the operation and agree",
    "PYPTO-G022": "rows and addresses of tiles are aligned",
    "PYPTO-G023": "tiles fit their buffer and the memory of the SoC",
    "PYPTO-G024": "a TileType has a shape, data type, memory and layout that the twin supports",
    "PYPTO-G025": "shapes, strides and offsets fit their tile or tensor",
    "PYPTO-G030": "a variable has a value on every path to its use",
    "PYPTO-G031": "a variable has one type on all paths",
    "PYPTO-G032": "what shapes the code is known at code generation",
    "PYPTO-G033": "constants are within their range",
    "PYPTO-G034": "nothing is divided by zero",
    "PYPTO-G040": "functions do not call themselves",
    "PYPTO-G041": "return stands where the kernel's constants decide",
    "PYPTO-G042": "operations, tiles and sections stand where they may",
    "PYPTO-G050": "for loops run over pl.range with integers",
}
