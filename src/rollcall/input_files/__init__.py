"""What reading any dump needs: blocks of lines, worker processes, the account of what is bad, resuming."""
