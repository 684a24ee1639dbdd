namespace Emu.Core.Tests;

public sealed class HashTests
{
    [Fact]
    public void SplitMix64_gives_the_published_sequence()
    {
        var random = new SplitMix64(1234567); // the test vector that other implementations carry
        Assert.Equal(6457827717110365317UL, random.Next());
        Assert.Equal(3203168211198807973UL, random.Next());
        Assert.Equal(9817491932198370423UL, random.Next());
        Assert.Equal(9817491932198370423UL, SplitMix64.Draw(1234567, 2));
    }

    [Theory] // Appendix A of the paper.
    [InlineData(0UL, 0UL, 0UL, 0x8186_65AA_0D02_DFDAUL)]
    [InlineData(ulong.MaxValue, 0UL, 0UL, 0x604A_E6CA_03C2_0ADAUL)]
    [InlineData(0UL, ulong.MaxValue, 0UL, 0x9FB5_1935_FC3D_F524UL)]
    [InlineData(0UL, 0UL, ulong.MaxValue, 0x78A5_4CBE_737B_B7EFUL)]
    [InlineData(0x0123_4567_89AB_CDEFUL, 0UL, 0xFEDC_BA98_7654_3210UL, 0xAE25_AD3C_A8FA_9CCFUL)]
    public void Prince_gives_the_published_texts(ulong block, ulong k0, ulong k1, ulong text) =>
        Assert.Equal(text, new Prince(new UInt128(k0, k1)).Encrypt(block));

    [Fact]
    public void Each_bit_of_key_and_block_changes_half_of_the_text_of_PRINCE()
    {
        var random = new SplitMix64(5);
        for (var bit = 0; bit < 192; bit++)
        {
            var changed = 0;
            for (var i = 0; i < 50; i++)
            {
                var (key, block) = (new UInt128(random.Next(), random.Next()), random.Next());
                var (otherKey, otherBlock) =
                    (bit < 128 ? key ^ UInt128.One << bit : key, bit < 128 ? block : block ^ 1UL << bit);
                changed += System.Numerics.BitOperations.PopCount(
                    new Prince(key).Encrypt(block) ^ new Prince(otherKey).Encrypt(otherBlock));
            }
            // 1,600 of 3,200 expected, a standard deviation of 28: six of them is never seen, and the seeds are fixed.
            Assert.InRange(changed, 1430, 1770);
        }
    }

    [Fact]
    public void A_hash_is_linear_below_its_width_and_fixed_by_its_seed()
    {
        var hash = new H3Hash(48, 6, 7);
        var random = new SplitMix64(3);
        for (var i = 0; i < 1000; i++)
        {
            var (a, b) = (random.Next() >> 16, random.Next() >> 16);
            Assert.Equal(hash.Index(a) ^ hash.Index(b), hash.Index(a ^ b));
            Assert.InRange(hash.Index(a), 0, 63);
            Assert.Equal(hash.Index(a), new H3Hash(48, 6, 7).Index(a));
        }
    }

    [Fact]
    public void Bits_above_the_key_never_count() =>
        Assert.Equal(
            new H3Hash(48, 6, 7).Index(0x1234),
            new H3Hash(48, 6, 7).Index(0x1234 | UInt128.One << 48 | UInt128.One << 100));

    [Fact]
    public void Neighbours_spread_evenly_over_the_sets()
    {
        var hash = new H3Hash(48, 6, 99);
        var counts = new int[64];
        for (var i = 0UL; i < 256; i++) counts[hash.Index(0x0200_0000_0000 + i)]++;
        Assert.All(counts, count => Assert.Equal(4, count));
    }

    [Fact]
    public void Random_keys_spread_as_dice_would()
    {
        foreach (var width in new[] { 48, 128 })
        {
            var hash = new H3Hash(width, 8, 5);
            var random = new SplitMix64(11);
            var counts = new int[256];
            for (var i = 0; i < 256 * 100; i++) counts[hash.Index(new UInt128(random.Next(), random.Next()))]++;
            // 100 expected, a standard deviation of 10: six of them is never seen, and the seeds are fixed.
            Assert.All(counts, count => Assert.InRange(count, 40, 160));
        }
    }

    [Fact]
    public void An_attacker_without_the_seed_cannot_aim_at_one_set()
    {
        var known = new H3Hash(48, 6, 1);
        var secret = new H3Hash(48, 6, 0xC0FFEE);
        var aimed = Enumerable.Range(0, 100_000)
            .Select(i => SplitMix64.Draw(4, (ulong)i) >> 16).Where(key => known.Index(key) == 0).Take(1000).ToList();
        var counts = aimed.GroupBy(key => secret.Index(key)).Select(g => g.Count());
        Assert.True(counts.Max() < 60, $"1000 keys aimed at one set of another seed put {counts.Max()} into one of 64");
    }
}
