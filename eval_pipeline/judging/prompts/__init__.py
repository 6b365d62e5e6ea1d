"""What a judge is asked: the template with its seats, and the rubric of single replies."""
