# The compiled part: `__init__.pyi` has the types of what is public.
from typing import Any

def __getattr__(name: str) -> Any: ...

System: Any
Trajectory: Any
Stepper: Any
