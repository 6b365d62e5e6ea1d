"""What several stages read alike: a checkpoint's folder, feature files, corpora and their scans."""
