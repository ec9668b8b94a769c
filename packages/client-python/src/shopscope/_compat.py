"""Parts of `typing` that Python 3.10 lacks."""

import sys

if sys.version_info >= (3, 11):
    from typing import NotRequired as NotRequired
    from typing import TypedDict as TypedDict
    from typing import Unpack as Unpack
else:
    from typing_extensions import NotRequired as NotRequired
    from typing_extensions import TypedDict as TypedDict
    from typing_extensions import Unpack as Unpack
