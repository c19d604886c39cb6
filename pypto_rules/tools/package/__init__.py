"""The vendor package: tree, config jsons, manifest, installer."""
