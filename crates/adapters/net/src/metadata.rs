//! Addresses at which a machine in a cloud is told its own secrets. No webhook, exporter or model server lies there.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Such addresses beside those that only the link knows.
const ADDRESSES: [IpAddr; 4] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

/// Names that stand for them, for whoever has a proxy look them up.
const NAMES: [&str; 3] = ["metadata", "metadata.google.internal", "instance-data"];

/// Why such an address is not spoken to.
pub(crate) const WHY: &str = "machines are told their own secrets there";

fn is_one(address: IpAddr) -> bool {
    let address = address.to_canonical();
    ADDRESSES.contains(&address)
        || match address {
            IpAddr::V4(own) => own.is_link_local(),
            IpAddr::V6(own) => own.is_unicast_link_local(),
        }
}

/// Whether an address names one, by itself or by a well-known name.
pub(crate) fn is_named(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let host = host.trim_end_matches('.');
    let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    literal.is_ok_and(is_one) || NAMES.iter().any(|name| host.eq_ignore_ascii_case(name))
}

/// Looks names up, and leaves out what leads to one.
#[derive(Debug)]
pub(crate) struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            if found.iter().any(|address| is_one(address.ip())) {
                return Err(format!("{}: {WHY}", name.as_str()).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::is_named;

    #[test]
    fn metadata_is_known_however_it_is_written() {
        let check = |url: &str, expect: bool| assert_eq!(is_named(&Url::parse(url).unwrap()), expect, "{url}");
        for url in [
            "http://169.254.169.254/latest/meta-data/",
            "http://169.254.1.1/",
            "http://2852039166/",
            "http://0xa9fea9fe/",
            "http://0251.0376.0251.0376/",
            "http://[::ffff:169.254.169.254]/",
            "http://[fd00:ec2::254]/",
            "http://[fe80::1]/",
            "http://100.100.100.200/",
            "http://168.63.129.16/",
            "http://192.0.0.192/",
            "http://metadata.google.internal/",
            "http://METADATA.google.internal./",
            "http://metadata/",
        ] {
            check(url, true);
        }
        for url in [
            "http://127.0.0.1:8080/",
            "http://10.0.0.1/",
            "http://192.168.1.1/",
            "http://[::1]/",
            "http://[fd00::1]/",
            "https://example.com/metadata",
            "http://metadata.example.com/",
        ] {
            check(url, false);
        }
    }
}
