"""Small changes of a bundle that an author could make by mistake, and whether its tests would notice."""
