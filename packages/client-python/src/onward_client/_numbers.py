import json
from decimal import Decimal
from typing import Any, Union

# Python refuses to convert integers with more digits than this.
_MAX_INT_DIGITS = 4_000


def read_json(text: Union[str, bytes]) -> Any:
    """Parses JSON without changing a number.

    Integers are `int`. A decimal number that a `float` cannot hold exactly, and an integer of more than 4,000 digits, are
    their digits as `str`. Raises a ValueError for any other text than JSON.
    """
    return json.loads(text, parse_float=_number, parse_int=_integer)


def _number(digits: str) -> Union[float, str]:
    number = float(digits)
    return number if Decimal(repr(number)) == Decimal(digits) else digits


def _integer(digits: str) -> Union[int, str]:
    return int(digits) if len(digits) <= _MAX_INT_DIGITS else digits
