-- Schema 7: all content of controllers besides fragments is in sections.
--
-- Steering and control graphs had tables. Their rows are now sections "steering" and "graph"
-- (tables/conversion.c moves them before this file runs).

DROP TABLE steering;
DROP TABLE graph_node;
DROP TABLE graph_edge;
