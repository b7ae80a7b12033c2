"""The command line of meldref: a thin layer over the library."""
