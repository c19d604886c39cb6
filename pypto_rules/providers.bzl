"""Providers: what the rules tell each other. Public, for rules of others that consume kernels or packages."""

load("//pypto_rules/private:providers.bzl", _PyptoKernelInfo = "PyptoKernelInfo", _PyptoPackageInfo = "PyptoPackageInfo", _PyptoTilingHeadersInfo = "PyptoTilingHeadersInfo", _PyptoToolchainInfo = "PyptoToolchainInfo")

PyptoKernelInfo = _PyptoKernelInfo
PyptoPackageInfo = _PyptoPackageInfo
PyptoTilingHeadersInfo = _PyptoTilingHeadersInfo
PyptoToolchainInfo = _PyptoToolchainInfo
