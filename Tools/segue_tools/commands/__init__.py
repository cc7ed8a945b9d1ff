"""Tools of the project. `Tools/run NAME --help` explains one."""
