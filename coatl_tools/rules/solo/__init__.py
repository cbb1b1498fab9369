"""The solo game against A.D.A.M. (section 7)."""
