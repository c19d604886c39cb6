"""Providers: what the rules tell each other. Public, for rules of others that consume kernels or packages."""

load(
    "//pypto_rules/private:providers.bzl",
    _PyptoAclnnInfo = "PyptoAclnnInfo",
    _PyptoHostToolchainInfo = "PyptoHostToolchainInfo",
    _PyptoKernelInfo = "PyptoKernelInfo",
    _PyptoOpDefInfo = "PyptoOpDefInfo",
    _PyptoOpHostInfo = "PyptoOpHostInfo",
    _PyptoOpInfo = "PyptoOpInfo",
    _PyptoPackageInfo = "PyptoPackageInfo",
    _PyptoTilingHeadersInfo = "PyptoTilingHeadersInfo",
    _PyptoToolchainInfo = "PyptoToolchainInfo",
)

PyptoAclnnInfo = _PyptoAclnnInfo
PyptoHostToolchainInfo = _PyptoHostToolchainInfo
PyptoKernelInfo = _PyptoKernelInfo
PyptoOpDefInfo = _PyptoOpDefInfo
PyptoOpHostInfo = _PyptoOpHostInfo
PyptoOpInfo = _PyptoOpInfo
PyptoPackageInfo = _PyptoPackageInfo
PyptoTilingHeadersInfo = _PyptoTilingHeadersInfo
PyptoToolchainInfo = _PyptoToolchainInfo
