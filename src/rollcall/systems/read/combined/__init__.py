"""What the reader `rollcall` combines: features of each possible answer, and the trees that weigh them."""
