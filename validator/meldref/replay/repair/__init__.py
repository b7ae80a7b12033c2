"""What probably happened where a log has mistakes: edits of its lines, and the one after which least is found."""
