"""What reading any dump needs: blocks of lines, worker processes, a record of bad entries, resuming."""
