"""Overviews: a function in plain words, for a person who reads neither Liquid nor YAML. # AUTO: The overview"""
