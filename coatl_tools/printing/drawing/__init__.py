"""Drawing in millimetres: outlines, type, ornaments and symbols."""
