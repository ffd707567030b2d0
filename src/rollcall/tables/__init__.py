"""Every table declared once; one writer, one reader, and the engines that compute with them."""
