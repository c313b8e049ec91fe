"""Modules that stand in for what an engine imports and its parser does not need (torch, CUDA kernels, web servers)."""

import abc
import importlib
import importlib.abc
import importlib.machinery
import sys
import types

# A platform that is not there: `hasattr(torch, "npu")` asks for these.
ABSENT = ("npu", "xpu", "hpu", "musa", "mps", "mlu")


def any_schema(cls, source, handler):
    from pydantic_core import core_schema

    return core_schema.any_schema()


class Meta(abc.ABCMeta):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return make_class(name)

    def __or__(cls, other):
        return cls

    __ror__ = __or__

    def __getitem__(cls, key):
        return cls

    def __bool__(cls):
        return False

    def __lt__(cls, other):
        return False

    __le__ = __gt__ = __ge__ = __lt__


def passing(*args, **kwargs):
    """A decorator gives back what it decorates; any other call gives a class."""
    return args[0] if len(args) == 1 and not kwargs and callable(args[0]) else make_class("Value")


def no_dunder(self, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return passing


def make_class(name):
    return Meta(
        name,
        (),
        {
            "__init__": lambda self, *args, **kwargs: None,
            "__init_subclass__": classmethod(lambda cls, **kwargs: None),
            "__get_pydantic_core_schema__": classmethod(any_schema),
            "__bool__": lambda self: False,
            "__call__": lambda self, *args, **kwargs: passing(*args, **kwargs),
            "__getattr__": no_dunder,
        },
    )


class StandIn(types.ModuleType):
    __path__ = []
    __version__ = "9.9.9"
    __file__ = "stand-in"

    def __getattr__(self, name):
        if name.startswith("__") or name in ABSENT:
            raise AttributeError(name)
        value = make_class(name) if name[:1].isupper() else importlib.import_module(f"{self.__name__}.{name}")
        setattr(self, name, value)
        return value

    def __call__(self, *args, **kwargs):
        return passing(*args, **kwargs)

    def __bool__(self):
        return False

    def __mro_entries__(self, bases):
        return (make_class("Base"),)

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter(())

    def __lt__(self, other):
        return False

    __le__ = __gt__ = __ge__ = __lt__


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for every module of `roots`, and for those of `package` that are not `real`."""

    def __init__(self, roots, package="", real=(), opened=()):
        self.roots, self.package, self.real, self.opened = set(roots), package, real, opened

    def find_spec(self, name, path=None, target=None):
        own = name.startswith(f"{self.package}.") and name not in self.opened and not name.startswith(self.real)
        if name.split(".")[0] in self.roots or (self.package and own):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return StandIn(spec.name)

    def exec_module(self, module):
        pass


def install(folder, roots, package, real, opened):
    """Imports of `package` come from `folder`: `real` modules as they are, the rest stood in for."""
    # The metadata of the wheel lies there too: some engines ask for their own version.
    sys.path.insert(0, folder)
    for name in opened:
        module = StandIn(name)
        module.__path__ = [f"{folder}/{name.replace('.', '/')}"]
        sys.modules[name] = module
    finder = Finder(roots, package, tuple(real), tuple(opened))
    sys.meta_path.insert(0, finder)
    return finder


def import_standing_in(finder, module):
    """Imports, and stands in for every package that turns out to be missing."""
    while True:
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            root = (error.name or "").split(".")[0]
            if root in finder.roots or root == finder.package:
                raise
            finder.roots.add(root)
            for name in [n for n in sys.modules if n.startswith(f"{finder.package}.") and n not in finder.opened]:
                del sys.modules[name]
