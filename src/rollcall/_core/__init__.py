"""What every package stands on: errors, files, folders, locks, workers, checksums, registries, console."""
