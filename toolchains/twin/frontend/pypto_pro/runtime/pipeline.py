"""`pl.pipeline`: configuration and stages of the preload pipeline."""

from __future__ import annotations

from typing import Any

from pypto_pro._functions import helper
from pypto_pro._operations import Operation

stage = helper("pipeline.stage")
transform_pipeline = Operation("pl.pipeline.transform_pipeline")


class PipelineConfig:
    """Pipeline settings, kept as given."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.args = args
        self.options = options


__all__ = ["PipelineConfig", "stage", "transform_pipeline"]
