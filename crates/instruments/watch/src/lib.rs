//! Is the agent still on the goal, step by step, and where did it leave it?

pub mod statistics;
