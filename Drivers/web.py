#!/usr/bin/env -S python3 -B
from segue_drivers.web import main

main()
