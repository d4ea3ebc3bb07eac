"""Forests, trees and paths in graphs."""
