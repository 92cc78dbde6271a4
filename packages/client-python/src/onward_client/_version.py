#: The version of this package. The build reads it from here.
VERSION = "0.1.0"
