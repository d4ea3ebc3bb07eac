from .pcca import PCCA as PCCA, CompetitiveAgglomeration as CompetitiveAgglomeration
