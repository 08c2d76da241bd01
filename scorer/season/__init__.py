"""What joins the evenings of many halls: one signed file of each."""
