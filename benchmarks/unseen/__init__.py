"""What audits find in logs with unknown cards that cannot be true."""
