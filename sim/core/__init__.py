"""The engine: cards as bits, random streams, records, compiling, the play loop; knows no game."""
