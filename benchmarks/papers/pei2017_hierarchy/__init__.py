"""Pei (2017), chapter 5: trees and classifiers from incomplete tags."""
