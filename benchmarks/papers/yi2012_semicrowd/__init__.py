"""Yi et al. 2012: semi-crowdsourced clustering beside metric learners."""
