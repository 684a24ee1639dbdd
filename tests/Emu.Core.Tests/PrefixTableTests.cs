namespace Emu.Core.Tests;

public sealed class PrefixTableTests
{
    private static readonly IPv4Address s_any = new(0);

    private static IPv4Address Address(string text) => IPv4Address.Parse(text);

    [Fact]
    public void The_longest_prefix_counts()
    {
        var table = new PrefixTable<IPv4Address, int>(
        [
            (Address("10.1.2.0"), 24, 3), (s_any, 0, 1), (Address("10.0.0.0"), 8, 2), (Address("10.1.2.3"), 32, 4),
            (Address("10.1.2.128"), 25, 5),
        ]);
        Assert.Equal(1, Get(table, "192.0.2.1"));
        Assert.Equal(2, Get(table, "10.9.9.9"));
        Assert.Equal(3, Get(table, "10.1.2.4"));
        Assert.Equal(4, Get(table, "10.1.2.3"));
        Assert.Equal(5, Get(table, "10.1.2.200"));
    }

    [Fact]
    public void A_key_without_a_prefix_is_not_found()
    {
        var table = new PrefixTable<IPv4Address, int>([(Address("10.0.0.0"), 9, 2)]);
        Assert.False(table.TryGet(Address("10.128.0.0"), out var value));
        Assert.Equal(0, value);
        Assert.False(new PrefixTable<IPv4Address, int>([]).TryGet(s_any, out _));
    }

    [Fact]
    public void Of_two_prefixes_that_are_the_same_the_last_counts() =>
        Assert.Equal(2, Get(
            new PrefixTable<IPv4Address, int>([(Address("10.0.0.0"), 8, 1), (Address("10.0.0.0"), 8, 2)]), "10.1.1.1"));

    [Theory]
    [InlineData("10.0.0.1", 24)]
    [InlineData("10.0.0.1", 33)]
    [InlineData("10.0.0.0", -1)]
    [InlineData("128.0.0.0", 0)]
    public void A_prefix_that_is_none_is_refused(string address, int length) =>
        Assert.Contains(
            $"{address}/{length}",
            Assert.Throws<ArgumentException>(
                () => new PrefixTable<IPv4Address, int>([(Address(address), length, 1)])).Message);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Every_address_is_found_as_by_a_search(int seed)
    {
        var random = new Random(seed);
        var prefixes = Enumerable.Range(0, 300).Select(i =>
        {
            var length = random.Next(33);
            var bits = length == 0 ? 0 : (uint)random.Next(4) << 30 | (uint)random.Next() >> 2;
            return (Key: new IPv4Address(length == 0 ? 0 : bits >> 32 - length << 32 - length), length, Value: i + 1);
        }).ToList();
        var table = new PrefixTable<IPv4Address, int>(prefixes);
        for (var i = 0; i < 5000; i++)
        {
            var near = prefixes[random.Next(prefixes.Count)].Key.Bits;
            var address = i % 2 == 0 ? (uint)random.Next() << 1 : near ^ 1u << random.Next(32);
            var expected = prefixes.Select((prefix, place) => (prefix, place))
                .Where(p => p.prefix.length == 0 || (p.prefix.Key.Bits ^ address) >> 32 - p.prefix.length == 0)
                .OrderBy(p => p.prefix.length).ThenBy(p => p.place).LastOrDefault().prefix.Value;
            Assert.Equal(expected != 0, table.TryGet(new IPv4Address(address), out var value));
            Assert.Equal(expected, value);
        }
    }

    [Fact]
    public void Prefixes_of_IPv6_are_found()
    {
        var table = new PrefixTable<IPv6Address, byte>(
        [
            (IPv6Address.Parse("2001:db8::"), 32, 1), (IPv6Address.Parse("2001:db8:0:1::"), 64, 2),
            (IPv6Address.Parse("2001:db8::1"), 128, 3),
        ]);
        byte Get(string address) => table.TryGet(IPv6Address.Parse(address), out var value) ? value : (byte)0;
        Assert.Equal((1, 2, 3, 0), (Get("2001:db8:1::1"), Get("2001:db8:0:1::1"), Get("2001:db8::1"), Get("2001::1")));
    }

    private static int Get(PrefixTable<IPv4Address, int> table, string address)
    {
        Assert.True(table.TryGet(Address(address), out var value));
        return value;
    }
}
