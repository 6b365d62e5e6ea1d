"""How far raters agree beyond chance, and kappas with their intervals."""
