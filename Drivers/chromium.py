#!/usr/bin/env -S python3 -B
from segue_drivers.chromium import main

main()
