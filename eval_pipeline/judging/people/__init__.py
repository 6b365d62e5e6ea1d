"""What people say: blinded sheets, labels on the judged pairs, and what the labels are worth."""
