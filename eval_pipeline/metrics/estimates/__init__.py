"""From values to rows of estimates: slices, policies, bounds, intervals."""
