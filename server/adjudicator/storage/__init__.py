"""What is kept, and how it survives: the contract, the SQL, the engine. Decides nothing."""
