from .dendrogram import DendrogramAsker as DendrogramAsker
