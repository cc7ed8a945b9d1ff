#!/usr/bin/env -S python3 -B
from segue_drivers.firefox import main

main()
