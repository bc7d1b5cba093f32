"""Keys of users and tenants, and the codec that seals what people said."""
