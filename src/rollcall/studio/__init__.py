"""The studio: a web application in which people judge questions, answers and evidence.

Tasks say what is judged and how (`tasks`), work says who judges what (`work`), the database keeps it
(`database`), and the web shows it (`web`); agreement, figures and export read what was judged.
"""
