"""Let `python -m xpubuild` be the console command."""

from xpubuild.cli import main

main()
