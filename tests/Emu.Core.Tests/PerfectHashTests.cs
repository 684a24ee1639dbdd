namespace Emu.Core.Tests;

/// <summary>Each hash has a number of its own.</summary>
public sealed class PerfectHashTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(100)]
    [InlineData(1000)]
    [InlineData(5000)]
    public void No_two_keys_have_one_number(int count)
    {
        for (var seed = 1; seed < 4; seed++)
        {
            var random = new Random(seed + count);
            HashSet<uint> hashes = [];
            while (hashes.Count < count) hashes.Add((uint)random.NextInt64(1L << 32));
            var hash = new PerfectHash(hashes);
            List<int> numbers = [.. hashes.Select(hash.IndexOf)];
            Assert.Equal(count, numbers.Distinct().Count());
            Assert.All(numbers, number => Assert.InRange(number, 0, hash.Count - 1));
            Assert.InRange(hash.Count, Math.Max(1, count), Math.Max(8, 4 * count));
        }
    }

    [Fact]
    public void A_hash_of_no_key_has_a_number_as_well()
    {
        var hash = new PerfectHash([1u << 31, 5, 77]);
        for (var other = 0u; other < 1000; other++)
            Assert.InRange(hash.IndexOf(other * 0x9E37_79B1), 0, hash.Count - 1);
    }

    [Fact]
    public void Equal_hashes_are_refused() =>
        Assert.Throws<ArgumentException>(() => new PerfectHash([7, 8, 7]));
}
