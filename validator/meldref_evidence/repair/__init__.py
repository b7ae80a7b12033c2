"""What probably happened where a log has mistakes: the edit of its lines that explains most."""
