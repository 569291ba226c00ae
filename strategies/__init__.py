"""Ways to play, a folder for each game and a file for each strategy."""
