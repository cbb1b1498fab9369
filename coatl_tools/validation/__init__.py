"""All that `coatl cards validate` checks: `language_files` the texts, `carddata` all data."""
