DROP TABLE user_figures;
