__version__ = "0.0.0"  # The wheel has the version of the program.
