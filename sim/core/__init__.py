"""The engine: cards as bits, random streams, records, compiling, the play loop. It knows no game."""
