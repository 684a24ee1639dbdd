[assembly: Slow("namespaces")]
