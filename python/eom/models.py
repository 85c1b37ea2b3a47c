"""The models that eom brings along: ``eom.models.penny()`` is a system.

>>> import eom
>>> eom.models.penny().name
'Penny'
"""

from eom._eom import model_texts as _model_texts

_TEXTS = {name.replace("-", "_"): (name, text) for name, text in _model_texts()}

__all__ = sorted(_TEXTS)


def __getattr__(name):
    if name not in _TEXTS:
        from difflib import get_close_matches

        near = get_close_matches(name, _TEXTS, 1)
        near = f"; did you mean `{near[0]}`?" if near else ""
        raise AttributeError(f"there is no model `{name}`{near}\n  models: {', '.join(__all__)}")

    def model(**values):
        from eom._system import System

        file, text = _TEXTS[name]
        return System(text, f"{file}.eom", values)

    model.__name__ = model.__qualname__ = name
    model.__module__ = __name__
    model.__doc__ = f"The model {name}: a `System`, with values for its parameters."
    globals()[name] = model
    return model


def __dir__():
    return __all__
